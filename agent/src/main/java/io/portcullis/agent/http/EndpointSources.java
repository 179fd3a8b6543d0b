package io.portcullis.agent.http;

import io.portcullis.agent.node.NodeElection;
import io.portcullis.agent.node.NodeView;
import io.portcullis.agent.node.ReloadOutcome;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What is shown and commanded over HTTP.
 *
 * @param view how the node stands at this moment
 * @param metrics renders a view for scrapers
 * @param elections the node's elections, to be commanded
 * @param reload reads the configuration again; may take its time
 * @param diagnostics all there is to know for whoever looks for a fault, as JSON
 */
public record EndpointSources(
    Supplier<NodeView> view,
    Function<NodeView, String> metrics,
    List<NodeElection> elections,
    Supplier<ReloadOutcome> reload,
    Supplier<String> diagnostics) {}
