package io.portcullis.rules.weave;

/**
 * Decides what a weave error means. It is called in the middle of loading the class, before any
 * code of it can run. It may halt the JVM; if it returns, the methods concerned will throw, or the
 * class will not load. A class that was loaded before may stay ungated: see {@link
 * WeaveFailure#loaded()}. Never called for rules that only observe.
 */
@FunctionalInterface
public interface WeaveFailures {
  void failed(WeaveFailure failure);
}
