package dev.stowage.onnxbudget.memory;

/**
 * The weights of a session.
 *
 * @param operatorCount the number of operators of the file, with those in bodies, whose memory is
 *     that of the session
 * @param weightBytes the initializers of the optimized graph
 * @param packedBytes the packed copies of weights, and small initializers, in the allocator of the
 *     session
 * @param unpackedBytes the initializers that no kernel packs; the session drops the others when it
 *     has packed them
 */
public record LoadedWeights(
    int operatorCount, long weightBytes, long packedBytes, long unpackedBytes) {}
