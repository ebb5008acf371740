package dev.stowage.examples.nativememory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Requests with numbers from 0, which threads serve at the same time. */
final class Requests {

  /** Serves one request. */
  @FunctionalInterface
  interface Server {

    Object serve(int number) throws Exception;
  }

  private Requests() {}

  /** {@return the number of requests, after all of them were served} */
  static int serve(int threads, int requests, Server server) throws Exception {
    List<Callable<Object>> calls = new ArrayList<>();
    IntStream.range(0, requests).forEach(number -> calls.add(() -> server.serve(number)));
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (Future<Object> call : executor.invokeAll(calls)) {
        call.get();
      }
    }
    return requests;
  }
}
