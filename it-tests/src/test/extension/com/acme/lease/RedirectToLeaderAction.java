package com.acme.lease;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.extension.RefusalAction;
import io.portcullis.rules.extension.RefusedMethod;

/**
 * {@code action = redirect-to-leader}: methods that return a {@code long} return -1, which their
 * callers treat as "ask the leader"; all others throw an exception that names the leader.
 */
public final class RedirectToLeaderAction implements RefusalAction {
  @Override
  public String name() {
    return "redirect-to-leader";
  }

  @Override
  public boolean canAnswer(RefusedMethod method) {
    return true;
  }

  @Override
  public Object answer(RefusedMethod method, NotLeaderException refused) {
    if (method.returnType().equals("long")) {
      return -1L;
    }
    throw new IllegalStateException(
        method.name() + " must be called on the leader " + refused.leader(), refused);
  }
}
