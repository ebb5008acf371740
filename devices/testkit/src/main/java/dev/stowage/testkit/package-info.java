/**
 * Tests for authors of devices.
 *
 * <p>{@link dev.stowage.testkit.DeviceContract} has the tests that every {@link
 * dev.stowage.memory.device.Device} must pass. {@link dev.stowage.testkit.SimulatedDevice} is a
 * device for tests of code that uses devices.
 */
@org.jspecify.annotations.NullMarked
package dev.stowage.testkit;
