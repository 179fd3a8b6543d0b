/** Small applications without any reference to Portcullis, to be run with the agent. */
package com.acme.app;
