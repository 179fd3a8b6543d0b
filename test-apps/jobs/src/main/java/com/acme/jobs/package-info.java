/** Programs with scheduled or startup work, each using a widely used library. */
package com.acme.jobs;
