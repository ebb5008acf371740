package dev.stowage.trace.format;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The facts about a recorded program with Netty that decide how its allocator works.
 *
 * @param settings the arguments of the program that the allocator reads, separated by blanks
 * @param version the version of Netty, if the recording names it
 * @param peakReservedBytes the most bytes of all chunks at any time, if they are known
 * @param chunkCount the number of chunks that the allocator got
 * @param script the operations on buffers
 */
public record RecordedProgram(
    String settings,
    Optional<String> version,
    OptionalLong peakReservedBytes,
    long chunkCount,
    NettyScript script) {}
