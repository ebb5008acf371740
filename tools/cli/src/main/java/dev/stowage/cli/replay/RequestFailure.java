package dev.stowage.cli.replay;

import java.util.List;

/**
 * A request that failed.
 *
 * @param id the id of the request
 * @param bytes the requested bytes
 * @param event the number of the event, from 1
 * @param stream the stream of the device
 * @param tag the purpose of the memory; empty if the trace lacks it
 * @param frames the stack of the request, the innermost frame first; empty if the trace lacks it
 */
public record RequestFailure(
    String id, long bytes, long event, long stream, String tag, List<String> frames) {}
