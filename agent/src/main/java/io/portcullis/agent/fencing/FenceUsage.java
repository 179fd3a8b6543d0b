package io.portcullis.agent.fencing;

/**
 * How a fence is used at one moment, over all databases that it covers.
 *
 * @param leads whether this node leads the fence's election
 * @param open connections of the application that the fence covers now
 * @param opened how many connections it has covered since the start
 */
record FenceUsage(String fence, String election, boolean leads, int open, long opened) {}
