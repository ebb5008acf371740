/**
 * Predictions of the memory of ONNX Runtime sessions before a run.
 *
 * <p>An {@link OptimizedModel} predicts the memory of a session by the engine's own rules, for a
 * class of processors ({@link CpuClass}).
 *
 * <h2>For maintainers</h2>
 *
 * <ul>
 *   <li>ONNX Runtime writes the graph that a session runs, without the layout for the processor of
 *       this machine. {@code layout.CpuLayout} applies that of the {@link CpuClass}.
 *   <li>{@link BufferPlan} decides which values share a buffer, from the types that are known when
 *       the session is created. {@link KernelSharing} has the kernels that write over an input.
 *   <li>{@link SizedGraph} has the sizes for some dimensions. {@link RunRequests} is the sequence
 *       of requests of a run: one for each buffer in the first run, one {@link PatternBlock} for
 *       all of them later. {@link LoadRequests} and {@link QuantizedWeights} are those for weights
 *       and their packed copies.
 *   <li>{@link TouchedMemory} replays all requests in an allocator without memory. It counts the
 *       pages of the arena that the first two runs touch, because only these are resident.
 *   <li>{@link SessionCreation} lists the blocks that ONNX Runtime requests while it creates a
 *       session, and {@link SystemHeap} simulates the C library to find those that stay resident.
 *   <li>A {@link PlannedBody} is the body of an {@code If}, {@code Loop} or {@code Scan} as a graph
 *       of its own, and a {@link SizedBody} has the requests of its iterations.
 *   <li>Workspaces of kernels do not follow from the graph. A {@link WorkspaceCalibration} has
 *       measured ones. For other operators, {@link KernelWorkspace}, {@link QuantizedWorkspace} and
 *       {@link AttentionWorkspace} have rules, and {@link UnknownWorkspace} names those without a
 *       rule.
 * </ul>
 *
 * <p>The tests record sessions of real models and compare every prediction with the recorded
 * requests. The address of a region decides between free chunks of equal size, so that {@code
 * MaxInUse} of the engine's arena can differ from that of a replay; {@code TotalAllocated} cannot.
 * ONNX Runtime inserts some operators in the order of a hash table, so that two sessions of a model
 * can have different peaks.
 */
package dev.stowage.onnxbudget.memory;
