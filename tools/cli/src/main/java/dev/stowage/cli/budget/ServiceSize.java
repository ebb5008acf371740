package dev.stowage.cli.budget;

import java.util.OptionalLong;

/**
 * The size of a service.
 *
 * @param sessions the number of sessions
 * @param threads the number of threads of each session
 * @param concurrent the number of requests at a time in each session
 * @param heapBytes the heap of the Java process; empty if the process is not a part of the budget
 * @param limitBytes the limit of the service
 */
public record ServiceSize(
    int sessions, int threads, int concurrent, OptionalLong heapBytes, OptionalLong limitBytes) {

  /** {@return this size with other counts} */
  ServiceSize with(int newSessions, int newConcurrent) {
    return new ServiceSize(newSessions, threads, newConcurrent, heapBytes, limitBytes);
  }

  /** {@return the requests at a time in each session, in words} */
  public String requests() {
    return (concurrent == 1 ? "one request at a time" : concurrent + " requests at a time")
        + (sessions > 1 ? " in each session" : "");
  }
}
