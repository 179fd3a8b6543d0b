package io.portcullis.agent.config;

import java.nio.file.Path;

/**
 * What all who read one configuration share.
 *
 * @param problems where problems go
 * @param secrets what must not be shown
 * @param folder the configuration file's, from which the names of other files start
 */
record ReadContext(ConfigProblems problems, Secrets secrets, Path folder) {}
