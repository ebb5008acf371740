/**
 * Records the allocations of a program, and writes the memory of an allocator as a snapshot.
 *
 * <p>A {@link TraceRecorder} writes a history that the command line replays, explains and tunes. An
 * {@link AllocatorSnapshot} writes the chunks of an allocator in use as a snapshot of PyTorch.
 *
 * <h2>For maintainers</h2>
 *
 * <p>The other packages are for the command line: {@code format} reads histories, {@code pytorch}
 * reads and writes snapshots of PyTorch, {@code replay} runs a history on a simulated allocator,
 * {@code export} writes the result as a snapshot, and {@code explain} and {@code tune} give reasons
 * and better settings.
 */
package dev.stowage.trace;
