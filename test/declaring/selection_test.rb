# frozen_string_literal: true

require_relative "declaration_case"

# What only: and except: are read as. They may be a client's text.
class SelectionTest < DeclarationCase
  # given => as a String
  READS = {
    :id => "id",
    "id" => "id",
    "" => "",
    "  " => "",
    [] => "",
    {} => "",
    "id,name" => "id,name",
    " id , name " => "id,name",
    "author(name)" => "author(name)",
    "id, author (name, posts(id)) , body" => "id,author(name,posts(id)),body",
    "author()" => "author()",
    "author( )" => "author()",
    "author(name),id" => "author(name),id",
    "first name" => "first name",
    "a-b,c.d,e\"f" => "a-b,c.d,e\"f",
    "é,ü(日)" => "é,ü(日)",
    "id\n,name\t" => "id,name",
    "id\0,\0" => "id\0,\0", # a NUL is no space
    %i[id name] => "id,name",
    %w[id name] => "id,name",
    [:id, ["name", [:body]]] => "id,name,body",
    ["id,name", :body] => "id,name,body",
    ["id,author(name)", { posts: :id }] => "id,author(name),posts(id)",
    [:id, { author: [:name] }] => "id,author(name)",
    { author: "name,posts(id)" } => "author(name,posts(id))",
    { author: { posts: { comments: [:id] } } } => "author(posts(comments(id)))",
    { "author" => true, posts: nil } => "author,posts",
    { author: [] } => "author()",
    { author: {} } => "author()",
    # of a name given twice, the larger part
    "id,id" => "id",
    [:author, { author: [:name] }] => "author",
    [{ author: [:name] }, :author] => "author",
    "author(name),author(id)" => "author(name,id)",
    "author(a(b),c),author(a(d),c(e))" => "author(a(b,d),c)",
    { author: :name, "author" => :id } => "author(name,id)",
    { "a,b(c)" => true } => "a,b(c)"
  }.freeze

  READS.each do |given, expected|
    test "#{given.inspect} is #{expected.inspect}" do
      assert_equal expected, ToJson::Selection.parse(given).to_s
    end
  end

  test "Symbols and keys of a Hash are names as they are, whatever stands in them" do
    assert_equal ["a,b(c)"], ToJson::Selection.parse(:"a,b(c)").names
    assert_equal [" a "], ToJson::Selection.parse({ " a " => true }).names
  end

  test "Strings in other encodings are names in UTF-8" do
    ["é(ü)", "é(ü)".encode("ISO-8859-1"), "é(ü)".encode("UTF-16LE"), "é(ü)".b].each do |given|
      selection = ToJson::Selection.parse(given)
      assert_equal [["é"], ["ü"]], [selection.names, selection["é"].names], given.encoding.to_s
      assert_equal Encoding::UTF_8, selection.names[0].encoding
    end
  end

  # given => message
  FAILURES = {
    "," => '",", offset 0: expected a name.',
    "id," => '"id,", offset 3: expected a name.',
    "id,,name" => '"id,,name", offset 3: expected a name.',
    "(id)" => '"(id)", offset 0: expected a name.',
    ")" => '")", offset 0: expected a name.',
    "id)" => '"id)", offset 2: expected a comma.',
    "author(name" => '"author(name", offset 6: "(" is not closed.',
    "é(a(b)" => '"é(a(b)", offset 1: "(" is not closed.',
    "author(" => '"author(", offset 7: expected a name.',
    "author(name,)" => '"author(name,)", offset 12: expected a name.',
    "author(name)id" => '"author(name)id", offset 12: expected a comma.',
    "a(b)(c)" => '"a(b)(c)", offset 4: expected a comma.',
    "a(b(c)d)" => '"a(b(c)d)", offset 6: expected a comma.',
    "#{"x" * 200}," => "#{("x" * 60).inspect}…, offset 201: expected a name.",
    "a\xFF" => "a selection of fields has a name that is not valid UTF-8 text.",
    "b\xFF".b => "a selection of fields has a name that is not valid ASCII-8BIT text.",
    "\xD8\x00".dup
      .force_encoding(Encoding::UTF_16BE)
      .freeze => "a selection of fields has a name that is not valid UTF-16BE text.",
    1 =>
      "a selection of fields takes Symbols, Strings, and Arrays and Hashes of these; got Integer.",
    nil =>
      "a selection of fields takes Symbols, Strings, and Arrays and Hashes of these; got NilClass.",
    [:id, nil] =>
      "a selection of fields takes Symbols, Strings, and Arrays and Hashes of these; got NilClass.",
    { author: 1 } =>
      "a selection of fields takes Symbols, Strings, and Arrays and Hashes of these; got Integer.",
    { author: false } =>
      "a selection of fields takes Symbols, Strings, and Arrays and Hashes of these; got " \
      "FalseClass.",
    { 1 => :a } =>
      "in a selection of fields the keys of a Hash must be Symbols or Strings; got Integer."
  }.freeze

  FAILURES.each do |given, message|
    test "#{given.inspect} is no selection" do
      assert_refused(message, ToJson::SelectionError) { ToJson::Selection.parse(given) }
    end
  end

  test "names stand at most a hundred deep, in every form" do
    deep = ->(levels) { "#{"a(" * (levels - 1)}a#{")" * (levels - 1)}" }
    hash = ->(levels) { (levels - 1).times.reduce(:a) { |part, _| { a: part } } }
    array = ->(levels) { (levels - 1).times.reduce([:a]) { |part, _| [part] } }
    [deep, hash, array].each do |make|
      assert_includes ToJson::Selection.parse(make.call(100)).to_s, "a"
      assert_refused("a selection of fields is nested more than 100 levels deep.",
                     ToJson::SelectionError) do
        ToJson::Selection.parse(make.call(101))
      end
    end
    endless = []
    endless << endless
    [endless, { a: endless }, "#{"a(" * 100_000}"].each do |given|
      assert_refused("a selection of fields is nested more than 100 levels deep.",
                     ToJson::SelectionError) do
        ToJson::Selection.parse(given)
      end
    end
  end

  test "reading takes time in line with the size, whatever is in it" do
    seconds = lambda do |text|
      GC.start # a collection takes a time that grows with the heap of all tests
      GC.disable
      started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
      begin
        ToJson::Selection.parse(text)
      rescue ToJson::SelectionError
        nil
      end
      Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - started
    ensure
      GC.enable
    end
    texts = ["a" * 1_000_000, " " * 1_000_000, "a#{" " * 500_000}b", "a(b)," * 100_000,
             "a#{" " * 1_000_000}(", "é," * 200_000, "a(#{"b," * 200_000}", ")" * 500_000,
             "é(a)," * 100_000]
    texts.each do |text| # quadratic time would be 16 times that of a quarter
      quarter = seconds.call(text[0, text.size / 4])
      assert_operator seconds.call(text), :<, (10 * quarter) + 0.1, text[0, 20]
    end
  end

  test "no Symbol is made of the text" do
    text = Array.new(50) { |i| "clients_name_#{i}_#{object_id}(inner_#{i}_#{object_id})" }.join(",")
    selection = ToJson::Selection.parse([text, { "key_#{object_id}" => "value_#{object_id}" }])
    assert_equal 51, selection.names.size
    assert_empty Symbol.all_symbols.map { |one| one.name.b }.grep(/_#{object_id}\z/)
  end

  test "a Selection is a frozen value, which can be shared between Ractors" do
    one, same, other = ["a,b(c)", [:a, { b: :c }], "a,b"].map do |given|
      ToJson::Selection.parse(given)
    end
    assert_equal [true, true, false, false],
                 [one == same, one.eql?(same), one == other, one == "a,b(c)"]
    assert_equal one.hash, same.hash
    assert Ractor.shareable?(one)
    assert_same one, ToJson::Selection.parse(one)
    assert_equal "#<ToJson::Selection a,b(c)>", one.inspect
  end

  test "a Selection tells whole, part and absent apart" do
    selection = ToJson::Selection.parse("a,b(c)")
    assert_equal [true, nil, true, ["c"], false, nil],
                 [selection.key?("a"), selection["a"], selection.key?("b"), selection["b"].names,
                  selection.key?("c"), selection["c"]]
    assert_equal [true, false], [ToJson::Selection.parse("").empty?, selection.empty?]
  end

  test "Ruby makes no Selection but by parse" do
    assert_raises(NoMethodError) { ToJson::Selection.new({}) }
  end
end
