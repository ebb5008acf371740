package dev.stowage.onnxruntime.capi;

/**
 * A listener to the calls of ONNX Runtime to an allocator.
 *
 * <p>ONNX Runtime calls it in a native thread, one call at a time. An exception ends the process.
 */
public interface RequestListener {

  /**
   * Reports memory for a tensor or a kernel.
   *
   * @param id the number of the request, from 0
   * @param bytes the size
   */
  void allocated(int id, long bytes);

  /**
   * Reports memory that a session keeps.
   *
   * @param id the number of the request, from 0
   * @param bytes the size
   */
  void reserved(int id, long bytes);

  /**
   * Reports the end of a use of memory.
   *
   * @param id the number of the request for the memory
   */
  void freed(int id);

  /**
   * Reports a request for statistics. A session that writes a profile makes one before and one
   * after each operator.
   */
  void statisticsRead();
}
