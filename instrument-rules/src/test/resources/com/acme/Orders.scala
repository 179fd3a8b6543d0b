package com.acme.sc

class Orders {
  var limit: Int = 0

  def save(order: String): String = order

  def saveNoted(order: String, note: String = "none"): String = order + note

  def +(order: String): String = order
}

object Orders {
  def load(file: String): String = file
}

object Ledger {
  def write(line: String): String = line
}

trait Store {
  def put(order: String): String = order
}

class Shelf extends Store

class Safe extends Store {
  override def put(order: String): String = "locked " + order
}

object Uses {
  def method(): String = new Orders().save("one")

  def defaultArgument(): String = new Orders().saveNoted("one")

  def operator(): String = new Orders() + "one"

  def setter(): Unit = new Orders().limit = 5

  def companion(): String = Orders.load("file")

  def singleton(): String = Ledger.write("line")

  def inherited(): String = new Shelf().put("one")

  def overridden(): String = new Safe().put("one")
}
