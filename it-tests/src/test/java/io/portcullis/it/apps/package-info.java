/** Tests third-party applications, used as their users do. */
package io.portcullis.it.apps;
