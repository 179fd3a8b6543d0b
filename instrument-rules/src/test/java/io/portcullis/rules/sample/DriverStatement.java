package io.portcullis.rules.sample;

/** The part of a driver's statement that matters here. */
public class DriverStatement {
  public Object prepare(String sql) {
    return sql.isEmpty() ? new DriverStatement() : this;
  }

  public long execute() {
    return 1;
  }

  public boolean execute(String sql) {
    return true;
  }

  public int execute(String sql, int keys) {
    return keys;
  }
}
