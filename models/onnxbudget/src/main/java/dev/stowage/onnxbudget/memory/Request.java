package dev.stowage.onnxbudget.memory;

/** A call of ONNX Runtime to the allocator of a session. */
public sealed interface Request {

  /**
   * {@return the number of the request; for the end of a use, that of the request for the memory}
   */
  int id();

  /**
   * Memory that a session keeps, which an arena takes from the system without rounding.
   *
   * @param id the number of the request
   * @param bytes the size
   */
  record Reserve(int id, long bytes) implements Request {}

  /**
   * Memory for a tensor or a kernel.
   *
   * @param id the number of the request
   * @param bytes the size
   */
  record Allocate(int id, long bytes) implements Request {}

  /**
   * The end of a use of memory.
   *
   * @param id the number of the request for the memory
   */
  record Free(int id) implements Request {}
}
