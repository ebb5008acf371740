/**
 * Simulated allocators: the rules of allocators in use today, on devices without memory.
 *
 * <p>A {@link dev.stowage.trace.replay.SimulatedAllocator} places requests as its original would,
 * and accesses no memory. {@link dev.stowage.trace.replay.BfcSimulation} is TensorFlow's best fit
 * with coalescing, {@link dev.stowage.trace.replay.PytorchAllocator} PyTorch's caching allocator
 * and {@link dev.stowage.trace.replay.RmmPool} the pool of RAPIDS Memory Manager.
 */
package dev.stowage.trace.replay;
