/** A device that is no part of Stowage. */
module com.example.device {
  requires transitive dev.stowage.memory;

  exports com.example.device;
}
