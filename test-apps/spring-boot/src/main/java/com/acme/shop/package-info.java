/** A shop that accepts orders over HTTP and runs scheduled jobs. */
package com.acme.shop;
