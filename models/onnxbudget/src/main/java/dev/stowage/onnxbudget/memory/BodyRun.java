package dev.stowage.onnxbudget.memory;

import java.util.List;

/**
 * The requests of the bodies of an operator, numbered from 0. All their memory is freed at the end.
 *
 * @param before the requests before those for the results of the operator
 * @param after the requests after them
 */
record BodyRun(List<Request> before, List<Request> after) {

  /** The run of an operator without bodies. */
  static final BodyRun NONE = new BodyRun(List.of(), List.of());

  /** {@return a number above those of all requests} */
  int idCount() {
    int count = 0;
    for (List<Request> part : List.of(before, after)) {
      for (Request request : part) {
        int id =
            switch (request) {
              case Request.Allocate(int number, long bytes) -> number;
              case Request.Reserve(int number, long bytes) -> number;
              case Request.Free(int number) -> number;
            };
        count = Math.max(count, id + 1);
      }
    }
    return count;
  }
}
