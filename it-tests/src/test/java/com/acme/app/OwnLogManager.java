package com.acme.app;

import java.util.logging.LogManager;

/** A log manager that only this application's class path has. */
public final class OwnLogManager extends LogManager {}
