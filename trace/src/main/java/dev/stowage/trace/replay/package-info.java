/**
 * Replays histories on simulated allocators: the rules of allocators in use today, on devices
 * without memory.
 *
 * <p>A {@link TraceReplay} passes the events of a history to a {@link SimulatedAllocator}, which
 * places requests as its original would, and accesses no memory. {@link BfcSimulation} is
 * TensorFlow's best fit with coalescing, {@link PytorchAllocator} PyTorch's caching allocator and
 * {@link RmmPool} the pool of RAPIDS Memory Manager.
 *
 * <h2>For maintainers</h2>
 *
 * <ul>
 *   <li>{@link AllocatorRules} start the allocator of a replay. For a snapshot of PyTorch, a {@link
 *       RecordingCursor} passes the recorded segments to it.
 *   <li>{@link BfcSimulation} is the allocator of {@code dev.stowage.allocator} over {@link
 *       SimulatedRegions}, so that a replay and a program place alike.
 *   <li>{@link XlaRules} follow a log of XLA's allocator; {@link XlaSettings} replace its settings.
 *   <li>{@link PytorchAllocator} keeps the blocks of each segment as a list, and free blocks in a
 *       tree for each pool and stream ({@link StreamBlocks}).
 *   <li>Before the first event of a snapshot, it holds the segments of a {@link PytorchRecording}.
 *       {@link InitialState} takes back all events from the segments at the end, and {@link
 *       ExpandableStarts} derives where expandable segments start.
 *   <li>A snapshot does not have all that the allocator depended on. {@link RecordedPools} derive
 *       the memory pool of each request, from the segments ({@link PoolGroups}) and the free blocks
 *       that requests left ({@link RecordedBlocks}). {@link RecordedReleases} tell when the program
 *       released cached memory, and {@link RecordedCompletions} which frees waited for other
 *       streams. A replay delays them in its {@link PendingFrees}.
 *   <li>With other settings, a {@link SegmentSource} has addresses for segments that the recording
 *       lacks, in an {@link AddressOrder}, usually the order of the driver ({@link DriverSlots}).
 *       {@link Confidence} compares replays in several orders and with several delays, which {@link
 *       PytorchRules} give as variants, and with the recorded addresses.
 *   <li>{@link ReservedMemory} divides the reserved bytes at one moment, in a walk over all blocks.
 *       {@link ReservedBytes} has the same sums at any moment, because allocators keep them.
 *   <li>To add an allocator, write a {@link SimulatedAllocator} and a method of {@link
 *       AllocatorRules}.
 * </ul>
 */
package dev.stowage.trace.replay;
