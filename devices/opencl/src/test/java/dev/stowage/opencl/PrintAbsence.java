package dev.stowage.opencl;

/** A program of its own, for the environment that the library reads. */
final class PrintAbsence {

  private PrintAbsence() {}

  static void main() {
    System.out.println(OpenClDevices.find().absence().orElse("there are devices"));
  }
}
