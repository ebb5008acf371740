/**
 * Memory of ONNX Runtime sessions, on the host and on GPUs, from a BFC allocator.
 *
 * <h2>For maintainers</h2>
 *
 * <p>An {@link OnnxRuntimeAllocator} registers its functions with ONNX Runtime ({@link
 * EngineCalls}), which has no way to report a shortage. {@link EngineRequests} therefore answers
 * each request, if necessary outside the limit. Charges to a {@link
 * dev.stowage.allocator.MemoryAccount} prevent such requests:
 *
 * <ul>
 *   <li>{@link SessionMemory} is a child account with the charges that the program declares for
 *       weights and runs. {@link SessionAccount} counts what the engine has in use.
 *   <li>ONNX Runtime gives a session the allocator that is registered while it creates the session.
 *       Each {@link SessionMemory} therefore has an {@code OrtAllocator} of its own ({@link
 *       Registration}), and its bytes are exact.
 *   <li>A virtual thread in a run keeps its carrier. Calls of the program that take the same locks
 *       therefore keep theirs, too ({@link PinnedCalls}). Otherwise, runs on all carriers could
 *       wait for a virtual thread that has none.
 *   <li>Memory of a GPU is freed while queued work uses it. {@link StreamOrder} lets an allocation
 *       wait if another stream may have used its memory.
 *   <li>{@link TrimPolicy} decides when the end of a run trims.
 * </ul>
 *
 * <p>Apart from ONNX Runtime itself, the module depends only on {@code dev.stowage.allocator} and
 * {@code dev.stowage.memory}, so that its users get no further jars.
 */
package dev.stowage.onnxruntime;
