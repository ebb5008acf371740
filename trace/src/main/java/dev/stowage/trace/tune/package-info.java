/**
 * Searches, by replays of traces, for the settings with which an allocator needs least memory.
 *
 * <h2>For maintainers</h2>
 *
 * <p>A {@link TunedTrace} is a trace in memory. A {@link SettingsSpace} has the candidates for an
 * allocator, and an effect: candidates with equal effects on a trace share one replay. {@link
 * TraceTuning} hands out the replays to any number of threads. It stops a replay as soon as its
 * result is worse than all results that the report needs. Failures and the peak only grow during a
 * replay, so the best results are the same in every order.
 */
package dev.stowage.trace.tune;
