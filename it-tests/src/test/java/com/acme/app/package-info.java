/** Small applications that know nothing of Portcullis, to be run with the agent. */
package com.acme.app;
