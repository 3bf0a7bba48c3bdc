# frozen_string_literal: true

# Third-party documents beside the project (../shared/data): where they do not stand, as in a user's
# clone, the tests over them are skipped and say so. The project's own tables and generators cover
# the same ground everywhere. TO_JSON_SHARED names another directory over data/.

# Finds the shared documents.
module SharedData
  DIRECTORY = File.join(ENV
                          .fetch("TO_JSON_SHARED") { File.expand_path("../../../shared", __dir__) },
                        "data")

  # True when the documents stand beside the project.
  def self.there? = File.directory?(DIRECTORY)

  # The paths in DIRECTORY that match `pattern`, sorted; empty where the documents do not stand.
  def self.paths(pattern) = Dir[File.join(DIRECTORY, pattern)].sort

  # In a test: the same paths, or the test ends here as skipped.
  def shared_data(pattern)
    paths = SharedData.paths(pattern)
    return paths unless paths.empty?
    raise "#{pattern} matches nothing in the shared data, which do stand here" if SharedData.there?

    skip "did not run: ../shared/data is not here (#{pattern})"
  end
end

ToJsonTest.include(SharedData)
