package dev.stowage.cuda;

import java.lang.foreign.MemorySegment;

/** A call of a function of the driver. */
interface CudaCall {

  /** The bytes for results of a call: two of 64 bits. */
  int RESULT_BYTES = 16;

  /**
   * Calls the function and {@return the code of the driver}
   *
   * @param results the memory for results
   * @throws Throwable never; method handles declare it
   */
  int in(MemorySegment results) throws Throwable;
}
