/** Programs that work by the clock or once at their start, each with a library that many use. */
package com.acme.jobs;
