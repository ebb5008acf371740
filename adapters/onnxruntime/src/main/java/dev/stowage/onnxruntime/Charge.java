package dev.stowage.onnxruntime;

import java.util.Optional;

/**
 * The bytes of one allocation, and the account that has them.
 *
 * @param session the session
 * @param run the run that uses the bytes, if one is known
 * @param bytes the bytes
 * @param range the range of the run, if the allocation is in it
 */
record Charge(
    SessionAccount session, Optional<RunAccount> run, long bytes, Optional<RunRange> range) {}
