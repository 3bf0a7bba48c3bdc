# frozen_string_literal: true

class CreateBlog < ActiveRecord::Migration[7.2]
  def change
    create_table :authors do |t|
      t.string :name, null: false
      t.string :email, null: false
      t.timestamps
    end

    create_table :posts do |t|
      t.string :title, null: false
      t.text :body, null: false, default: ""
      t.datetime :published_at
      t.belongs_to :author, null: false, foreign_key: true
      t.timestamps
    end

    create_table :comments do |t|
      t.text :body, null: false
      t.belongs_to :author, null: false, foreign_key: true
      t.belongs_to :post, null: false, foreign_key: true
      t.timestamps
    end
  end
end
