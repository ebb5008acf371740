package dev.stowage.cli.replay;

import java.util.List;

/**
 * A request that found no room.
 *
 * @param id what it is called
 * @param bytes how many were asked for
 * @param event when, counted from 1
 * @param stream the queue of the device that asked
 * @param frames who asked, the innermost first; empty where the trace does not say
 */
public record FailedRequest(String id, long bytes, long event, long stream, List<String> frames) {}
