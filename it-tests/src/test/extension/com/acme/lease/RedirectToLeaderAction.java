package com.acme.lease;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.extension.RefusalAction;
import io.portcullis.rules.extension.RefusedMethod;

/**
 * {@code action = ask-the-leader}: methods that count answer -1, which their callers take for "ask
 * elsewhere"; all others tell whom to ask in an exception.
 */
public final class RedirectToLeaderAction implements RefusalAction {
  @Override
  public String name() {
    return "ask-the-leader";
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
        method.name() + " is for " + refused.leader() + " to do", refused);
  }
}
