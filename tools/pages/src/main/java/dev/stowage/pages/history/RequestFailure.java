package dev.stowage.pages.history;

import dev.stowage.trace.format.AllocationEvent;

/**
 * A request that failed.
 *
 * @param request the request
 * @param event the number of the event, from 1
 */
public record RequestFailure(AllocationEvent.Allocate request, long event) {}
