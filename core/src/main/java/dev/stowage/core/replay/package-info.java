/**
 * Simulated allocators: the rules of allocators in use today, on devices without memory.
 *
 * <p>A {@link dev.stowage.core.replay.SimulatedAllocator} places requests as its original would,
 * and accesses no memory. {@link dev.stowage.core.replay.BfcSimulation} is TensorFlow's best fit
 * with coalescing, {@link dev.stowage.core.replay.PytorchAllocator} PyTorch's caching allocator and
 * {@link dev.stowage.core.replay.RmmPool} the pool of RAPIDS Memory Manager.
 */
package dev.stowage.core.replay;
