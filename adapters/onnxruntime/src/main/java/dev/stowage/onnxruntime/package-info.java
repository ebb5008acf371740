/**
 * Memory of ONNX Runtime sessions, on the host and on GPUs, from a BFC allocator.
 *
 * <h2>For maintainers</h2>
 *
 * <p>An {@link OnnxRuntimeAllocator} registers its functions with ONNX Runtime ({@link
 * EngineCalls}), which has no way to report a shortage. {@link EngineRequests} therefore answers
 * each request, if necessary outside the limit. Admission prevents such requests:
 *
 * <ul>
 *   <li>{@link AdmissionLedger} admits a request only within the limit (R1 to R5). {@link
 *       HeldBytes} has the larger of the declared bytes and the bytes in use, {@link
 *       WaitingRequests} the order of the requests, and {@link RunCharges} the runs of allocations.
 *       The ledger has no threads. {@link Admission} adds the lock and the threads that wait.
 *   <li>A request that cannot be admitted while the same sessions are open is rejected. It would
 *       block the others.
 *   <li>An admitted run takes a {@link RunRange} of its bytes and allocates there. In simulations
 *       without ranges, fragmentation between four runs of random lengths needed up to 1.4 times
 *       the admitted bytes.
 *   <li>ONNX Runtime gives a session the allocator that is registered while it creates the session.
 *       Each {@link SessionMemory} therefore has an {@code OrtAllocator} of its own ({@link
 *       Registration}), and its bytes are exact. A run is found by a scoped value of the calling
 *       thread, or as the only open run of the session.
 *   <li>A virtual thread in a run keeps its carrier. Calls of the program that take the same locks
 *       therefore keep theirs, too ({@link PinnedCalls}). Otherwise, runs on all carriers could
 *       wait for a virtual thread that has none.
 *   <li>Memory of a GPU is freed while queued work uses it. {@link StreamOrder} lets an allocation
 *       wait if another stream may have used its memory.
 *   <li>{@link RunEnds} trims and samples the resident memory when runs end.
 * </ul>
 *
 * <p>Apart from ONNX Runtime itself, the module depends only on {@code dev.stowage.allocator} and
 * {@code dev.stowage.memory}, so that its users get no further jars.
 */
package dev.stowage.onnxruntime;
