# frozen_string_literal: true

# `to_json:install`, and what `rails generate scaffold`, `resource` and `model` make of a
# serializer.

require_relative "../test_helper"
require_relative "application"

class ScaffoldTest < ToJsonTest
  CONTROLLER = "app/controllers/application_controller.rb"
  API = "class ApplicationController < ActionController::API\nend\n"
  INSTALLED =
    "class ApplicationController < ActionController::API\n  include ToJson::Rendering\nend\n"

  class << self
    def app
      @app ||= begin
        directory = Dir.mktmpdir
        made = GeneratedApplication.new(directory)
        # a directory that is made later is no place of autoloading in that process
        made.write("app/serializers/.keep", "")
        Minitest.after_run { made.stop; FileUtils.rm_rf(directory) }
        made.start
      end
    end
  end

  if GeneratedApplication::RAILS && Without.library?("active_record")
    def app = self.class.app

    # The hooks look at the controllers when the generators are loaded.
    def with_controller(text)
      app.write(CONTROLLER, text)
      app.restart
    end

    def configure(line)
      before = app.read("config/application.rb")
      app.write("config/application.rb",
                before.sub("config.api_only = true", "config.api_only = true\n    #{line}"))
      yield
    ensure
      app.write("config/application.rb", before)
    end

    test "install writes one line, once, and destroy removes it" do
      app.write(CONTROLLER, API)
      before = app.files
      assert_match(/insert  #{CONTROLLER}$/, app.generate("to_json:install"))
      assert_equal(INSTALLED, app.read(CONTROLLER))
      assert_equal([CONTROLLER], app.files.reject { |path, text| before[path] == text }.keys)
      assert_match(/identical  #{CONTROLLER}$/, app.generate("to_json:install"))
      assert_equal(INSTALLED, app.read(CONTROLLER))
      app.destroy("to_json:install")
      assert_equal(before, app.files)
    end

    {
      "a comment and other lines" => ["# frozen_string_literal: true\n\nclass " \
                                      "ApplicationController < ActionController::Base # ours\n  " \
                                      "allow_browser versions: :modern\nend\n",
                                      "# frozen_string_literal: true\n\nclass " \
                                      "ApplicationController < ActionController::Base # ours\n  " \
                                      "include ToJson::Rendering\n  allow_browser versions: " \
                                      ":modern\nend\n"],
      "a module around it" => ["module Shop\n  class ApplicationController < " \
                               "ActionController::API\n  end\nend\n",
                               "module Shop\n  class ApplicationController < " \
                               "ActionController::API\n    include ToJson::Rendering\n  " \
                               "end\nend\n"],
      "lines that end as on Windows" =>
        ["class ApplicationController < ActionController::API\r\nend\r\n",
         "class ApplicationController < ActionController::API\r\n  include " \
         "ToJson::Rendering\nend\r\n"],
      "an include of several" =>
        ["class ApplicationController < ActionController::API\n  include Other, " \
         "ToJson::Rendering\nend\n"] * 2
    }.each do |name, (before, after)|
      test "install: #{name}" do
        app.write(CONTROLLER, before)
        app.generate("to_json:install")
        assert_equal(after, app.read(CONTROLLER))
        app.generate("to_json:install")
        assert_equal(after, app.read(CONTROLLER))
      end
    end

    test "destroy removes nothing with --pretend, nor where there is no line" do
      [INSTALLED, API].each do |text|
        app.write(CONTROLLER, text)
        app.destroy("to_json:install", "--pretend")
        assert_equal(text, app.read(CONTROLLER))
      end
      app.destroy("to_json:install")
      assert_equal(API, app.read(CONTROLLER))
    end

    test "install says what it cannot do" do
      app.write(CONTROLLER, "class ApplicationController < ActionController::API; end\n")
      assert_match(
        /has no line "class ApplicationController" to write `include ToJson::Rendering` below/,
        app.generate("to_json:install")
      )
      assert_equal("class ApplicationController < ActionController::API; end\n",
                   app.read(CONTROLLER))
      app.delete(CONTROLLER)
      assert_match(/There is no #{CONTROLLER}\. Name the controller/,
                   app.generate("to_json:install"))
      app.write("app/controllers/api/base_controller.rb",
                "class Api::BaseController < ActionController::API\nend\n")
      app.generate("to_json:install", "--controller=Api::BaseController")
      assert_equal("class Api::BaseController < ActionController::API\n  include " \
                   "ToJson::Rendering\nend\n", app.read("app/controllers/api/base_controller.rb"))
    ensure
      app.delete("app/controllers/api")
    end

    test "install writes an initializer only where it has something to say" do
      app.write(CONTROLLER, API)
      app.generate("to_json:install", "--missing-serializer=as_json")
      app.restart
      assert_equal("as_json", app.evaluate("Rails.application.config.to_json.missing_serializer"))
      app.destroy("to_json:install")
      refute(app.exist?("config/initializers/to_json.rb"))
      assert_equal(API, app.read(CONTROLLER))
    end

    test "an application that did not include ToJson::Rendering gets no serializers" do
      with_controller(API)
      app.generate("scaffold", "Note", "text:string")
      refute(app.exist?("app/serializers/note_serializer.rb"))
      app.destroy("scaffold", "Note")
      configure("config.generators.serializer = :to_json") do
        app.restart
        app.generate("model", "Note", "text:string")
        assert(app.exist?("app/serializers/note_serializer.rb"),
               "the setting is for every generator")
        app.destroy("model", "Note")
      end
    end

    test "scaffold writes serializers, and its own controllers and tests work" do
      with_controller(INSTALLED)
      before = app.files
      app.generate("scaffold", "Author", "name:string", "email:uniq", "key:token")
      app.generate("scaffold", "Post", "title:string", "body:text", "author:belongs_to",
                   "of:references{polymorphic}")
      app.generate("resource", "Api::V1::Tag", "name", "post:references", "--no-timestamps")
      assert_equal("class AuthorSerializer < ToJson::Serializer\n  # Not here, since they look " \
                   "secret: key.\n  attributes :id\n  attributes :name, :email, writable: true\n" \
                   "  attributes :created_at, :updated_at\nend\n",
                   app.read("app/serializers/author_serializer.rb"))
      assert_equal(<<~RUBY, app.read("app/serializers/post_serializer.rb"))
        class PostSerializer < ToJson::Serializer
          attributes :id
          attributes :title, :body, :author_id, :of_type, :of_id, writable: true
          attributes :created_at, :updated_at
          belongs_to :author, serializer: AuthorSerializer
          # belongs_to :of # records of several classes: each needs a serializer
        end
      RUBY
      assert_equal("class Api::V1::TagSerializer < ToJson::Serializer\n  attributes :id, " \
                   ":name\n  belongs_to :post, serializer: PostSerializer\nend\n",
                   app.read("app/serializers/api/v1/tag_serializer.rb"))
      posts = app.read("app/controllers/posts_controller.rb")
      assert_match(/    def post_params\n      PostSerializer\.expect\(params\)\n    end/, posts)
      # the serializer reads no secret, so Rails' own list stays
      authors = app.read("app/controllers/authors_controller.rb")
      assert_match(/params\.(expect|require).+:key/, authors)
      assert_match(/post = Post|document = JSON.parse\(PostSerializer.json!\(Post.new\)\)/,
                   app.read("test/serializers/post_serializer_test.rb"))
      app.destroy("resource", "Api::V1::Tag", "name", "post:references")
      app.destroy("scaffold", "Post")
      app.destroy("scaffold", "Author")
      app.delete("app/models/api/**", "app/models/api") # which Rails leaves
      assert_equal(before, app.files)
    end

    test "a serializer can be left out, for one call and for the application" do
      with_controller(INSTALLED)
      before = app.files
      app.generate("scaffold", "Note", "text:string", "--no-serializer")
      app.generate("model", "Leaf", "text:string")
      refute(app.exist?("app/serializers/note_serializer.rb"))
      refute(app.exist?("app/serializers/leaf_serializer.rb"))
      app.generate("model", "Branch", "text:string", "--serializer")
      assert(app.exist?("app/serializers/branch_serializer.rb"))
      configure("config.generators.serializer = false") do
        app.restart
        app.generate("scaffold", "Twig", "text:string")
        refute(app.exist?("app/serializers/twig_serializer.rb"))
        app.destroy("scaffold", "Twig")
      end
      app.restart
      app.destroy("model", "Branch", "--serializer")
      app.destroy("model", "Leaf")
      app.destroy("scaffold", "Note")
      assert_equal(before, app.files)
    end

    test "a model that does not load yet, or inherits, gets its serializer all the same" do
      with_controller(INSTALLED)
      before = app.files
      # has_secure_password needs bcrypt, and so do the fixtures of Rails 8.1
      app.generate("scaffold", "User", "name:string", "password:digest", "--no-fixture")
      assert_match(
        /secret: password_digest\.\n  attributes :id\n  attributes :name, writable: true\n/,
        app.read("app/serializers/user_serializer.rb")
      )
      app.generate("model", "Member", "user:belongs_to", "--serializer")
      assert_match(/  belongs_to :user, serializer: UserSerializer\n/,
                   app.read("app/serializers/member_serializer.rb"))
      app.generate("resource", "Admin", "level:integer", "--parent=User")
      assert_match(/\Aclass AdminSerializer < UserSerializer\n  attributes :level\nend/,
                   app.read("app/serializers/admin_serializer.rb"))
      app.destroy("resource", "Admin", "--parent=User")
      app.destroy("model", "Member", "--serializer")
      app.destroy("scaffold", "User", "--no-fixture")
      assert_equal(before, app.files)
    end
  end
end
