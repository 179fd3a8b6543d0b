/** A shop that takes orders over HTTP and has jobs that run by the clock. */
package com.acme.shop;
