/** What every device must do, as tests that any device can be put to. */
@org.jspecify.annotations.NullMarked
package dev.stowage.contract;
