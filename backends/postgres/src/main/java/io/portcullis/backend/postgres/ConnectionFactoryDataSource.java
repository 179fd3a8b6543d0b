package io.portcullis.backend.postgres;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Gives the pool connections that we open ourselves. */
final class ConnectionFactoryDataSource implements DataSource {

  /** Opens a connection. */
  interface Dialling {
    Connection dial() throws SQLException;
  }

  private final Dialling dialling;

  ConnectionFactoryDataSource(Dialling dialling) {
    this.dialling = dialling;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return dialling.dial();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("user and password come from the configuration");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  /** Each connection has limits of its own. */
  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
