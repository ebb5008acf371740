/** The resident memory of a process, divided among its owners. */
@org.jspecify.annotations.NullMarked
module dev.stowage.process {
  requires java.management;
  requires jdk.attach;
  requires jdk.management;
  requires static org.jspecify;

  exports dev.stowage.process;
}
