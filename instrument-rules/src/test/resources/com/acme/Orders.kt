package com.acme.kt

import kotlin.coroutines.Continuation
import kotlin.coroutines.resume
import kotlin.coroutines.suspendCoroutine

@JvmInline value class OrderNumber(val digits: String)

class Order(val name: String)

fun saveAll(orders: List<Order>): String = orders.joinToString { it.name }

fun Order.archive(): String = name

@Suppress("NOTHING_TO_INLINE") inline fun saveInline(order: String): String = order

class Orders {
  var limit: Int = 0

  fun raise() {
    limit = 6
  }

  fun save(order: String): String = order

  fun saveNoted(order: String, note: String = "none"): String = order + note

  internal fun saveInside(order: String): String = order

  fun saveNumbered(number: OrderNumber): String = number.digits

  companion object {
    fun import(file: String): String = file

    @JvmStatic fun importStatic(file: String): String = file
  }
}

object Ledger {
  fun write(line: String): String = line

  @JvmStatic fun writeStatic(line: String): String = line
}

interface Store {
  fun put(order: String): String = order
}

class Shelf : Store

class Safe : Store {
  override fun put(order: String): String = "locked " + order
}

/** Suspends in the midst of a save, until it is resumed. */
open class Slow {
  private var parked: Continuation<Unit>? = null
  var saved: String = "nothing"

  private suspend fun park() = suspendCoroutine<Unit> { parked = it }

  suspend fun save(order: String): String {
    park()
    saved = order
    return order
  }

  open suspend fun saveOpen(order: String): String {
    park()
    saved = order
    return order
  }

  fun resume() = parked!!.resume(Unit)
}
