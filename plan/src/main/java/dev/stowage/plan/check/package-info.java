/** Independent checks of plans, which share no code with the planners. */
package dev.stowage.plan.check;
