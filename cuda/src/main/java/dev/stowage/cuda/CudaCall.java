package dev.stowage.cuda;

import java.lang.foreign.MemorySegment;

/** A call of one of the driver's functions. */
interface CudaCall {

  /** How many bytes a call gets for its answers: two of 64 bits. */
  int ANSWER_BYTES = 16;

  /**
   * Calls, and {@return the driver's code}
   *
   * @param answers where the function may write to
   * @throws Throwable never: a method handle declares it
   */
  int in(MemorySegment answers) throws Throwable;
}
