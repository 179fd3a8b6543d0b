/** A program that writes to Postgres without pgjdbc. */
package com.acme.drivers;
