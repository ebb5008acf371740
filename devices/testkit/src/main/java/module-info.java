/** For authors of devices: the contract of devices as tests, and a simulated device. */
@org.jspecify.annotations.NullMarked
module dev.stowage.testkit {
  requires transitive dev.stowage.memory;
  requires transitive org.junit.jupiter.api;
  requires org.assertj.core;
  requires org.junit.jupiter.params;
  requires static org.jspecify;

  exports dev.stowage.testkit;

  opens dev.stowage.testkit to
      org.junit.platform.commons;
}
