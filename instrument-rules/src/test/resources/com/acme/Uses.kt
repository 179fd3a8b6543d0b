package com.acme.kt

import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine

fun topLevel() = saveAll(listOf(Order("one")))

fun extension() = Order("one").archive()

fun inlined() = saveInline("one")

fun method() = Orders().save("one")

fun defaultArgument() = Orders().saveNoted("one")

fun allArguments() = Orders().saveNoted("one", "all")

fun internalMethod() = Orders().saveInside("one")

fun valueClass() = Orders().saveNumbered(OrderNumber("1"))

fun setter() {
  Orders().limit = 5
}

fun setInItsOwnClass() = Orders().raise()

fun companion() = Orders.import("file")

fun staticOfCompanion() = Orders.importStatic("file")

fun singleton() = Ledger.write("line")

fun staticOfSingleton() = Ledger.writeStatic("line")

fun inheritedDefault() = Shelf().put("one")

fun overriddenDefault() = Safe().put("one")

/** A save that has come to its suspension, and how it ended after it. */
class Begun(private val slow: Slow, open: Boolean) {
  private var outcome: Result<String>? = null

  init {
    val save: suspend () -> String =
      if (open) ({ slow.saveOpen("one") }) else ({ slow.save("one") })
    save.startCoroutine(
      object : Continuation<String> {
        override val context = EmptyCoroutineContext

        override fun resumeWith(result: Result<String>) {
          outcome = result
        }
      })
    outcome?.getOrThrow()
  }

  fun resume(): String {
    slow.resume()
    return outcome!!.getOrThrow()
  }

  fun saved() = slow.saved
}

fun begin() = Begun(Slow(), false)

fun beginOpen() = Begun(Slow(), true)
