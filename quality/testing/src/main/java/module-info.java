/** For the tests of all modules: seeds, sample models, and the examples of guides. */
@org.jspecify.annotations.NullMarked
module dev.stowage.testing {
  requires transitive org.junit.jupiter.params;
  requires static org.jspecify;

  exports dev.stowage.testing;
}
