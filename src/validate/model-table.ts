/**
 * The types of the OpenActive data model that calendars are made of, as a feed must publish them: made from the official
 * data models 2.x (npm @openactive/data-models, MIT). Not written by hand: UPDATE_MODEL=1 vitest run test/validate/model.test.ts.
 *
 * After each type its parent, whose properties it has. `must`: required. `any`: one of them is. `never`: must not be there.
 * `in P must`: what is required instead where it is the value of P. `= T|U`: the values of properties. `T[]`: an array,
 * `&`: or an @id, `>n`: at least n.
 */
export const MODEL_TABLE = `
BabyChanging < LocationFeatureSpecification
  must: name @type value
Brand
  must: @type name url
  = Text: description name
  = Text|PropertyValue|PropertyValue[]|Integer: identifier
  = ImageObject: logo
  = URL: url
ChangingFacilities < LocationFeatureSpecification
  must: name @type value
Concept
  must: @type @id prefLabel inScheme
  never: altLabel hiddenLabel broader narrower related notation definition topConceptOf
  = URL: @id inScheme topConceptOf
  = Text[]: altLabel hiddenLabel
  = URL[]: broader related narrower
  = Text: notation prefLabel definition
Course
  = Text: accessibilityInformation description name
  = Concept[]: accessibilitySupport activity
  = QuantitativeValue: ageRange
  = Organization|Person&: author
  = Concept[]|Text[]: category
  = GenderRestrictionType: genderRestriction
  = Text|PropertyValue|PropertyValue[]|Integer: identifier
  = ImageObject[]: image
  = Text[]|Concept[]: level
  = URL: url
CourseInstance < Event
  must: @type @id url name location activity organizer offers startDate endDate
  any: subEvent eventSchedule
  never: superEvent
  = Date: endDate startDate
  = Course: instanceOfCourse
  = Schedule[]: eventSchedule
Creche < LocationFeatureSpecification
  must: name @type value
Event
  must: @type @id url name location activity organizer offers startDate
  never: eventSchedule
  in subEvent must: @type url name location activity organizer startDate
  = Text: accessibilityInformation attendeeInstructions description meetingPoint name schedulingNote
  = Concept[]: accessibilitySupport activity
  = Concept[]|Text[]: category
  = Person[]: contributor leader
  = Duration: duration
  = DateTime: endDate startDate
  = EventStatusType: eventStatus
  = GenderRestrictionType: genderRestriction
  = QuantitativeValue: ageRange ageRestriction
  = Text[]: additionalAdmissionRestriction customerAccountBookingRestriction
  = Boolean: isOpenBookingWithCustomerAccountAllowed isAccessibleForFree isCoached
  = Text|PropertyValue|PropertyValue[]|Integer: identifier
  = ImageObject[]: image
  = Text[]|Concept[]: level
  = Place&: location
  = Integer: maximumAttendeeCapacity maximumVirtualAttendeeCapacity
  = Offer[]: offers
  = Organization|Person: organizer
  = Brand: programme
  = Integer>0: remainingAttendeeCapacity
  = Event[]: subEvent
  = Event: superEvent
  = URL: url
  = EventAttendanceModeEnumeration: eventAttendanceMode
EventSeries < Event
  must: @type name activity organizer
  any: @id identifier
  never: eventSchedule startDate endDate
FacilityUse
  must: @type @id url name location provider
  any: facilityType activity
  = Text: accessibilityInformation attendeeInstructions description name
  = Concept[]: accessibilitySupport facilityType activity
  = Concept[]|Text[]: category
  = Slot[]: event
  = OpeningHoursSpecification[]: hoursAvailable
  = Text|PropertyValue|PropertyValue[]|Integer: identifier
  = ImageObject[]: image
  = IndividualFacilityUse[]: individualFacilityUse
  = Place&: location
  = Organization: provider
  = Offer[]: offers
  = Text[]: additionalAdmissionRestriction customerAccountBookingRestriction
  = Boolean: isOpenBookingWithCustomerAccountAllowed
  = URL: url
GeoCoordinates
  must: @type latitude longitude
  = Number: latitude longitude
HeadlineEvent < Event
  must: @type @id url name location activity organizer startDate
  never: eventSchedule
ImageObject < MediaObject
  must: @type url
  never: contentUrl embedUrl
IndividualFacilityUse < FacilityUse
  must: @type @id url name location provider
  any: facilityType activity
  never: individualFacilityUse
  = FacilityUse: aggregateFacilityUse
LocationFeatureSpecification
  must: name @type value
  = Text: name
  = Boolean: value
Lockers < LocationFeatureSpecification
  must: name @type value
MediaObject
  must: @type url
  = ImageObject[]: thumbnail
  = URL: url contentUrl embedUrl
  = Integer: width height
Offer
  must: @type price
  = Number: price
  = Text: priceCurrency name description
  = Text|PropertyValue|PropertyValue[]|Integer: identifier
  = QuantitativeValue: ageRange ageRestriction
  = PaymentMethod[]: acceptedPaymentMethod
  = RequiredStatusType: openBookingInAdvance openBookingPrepayment
  = Duration: validFromBeforeStartDate validThroughBeforeStartDate latestCancellationBeforeStartDate
  = Boolean: allowCustomerCancellationFullRefund
  = OpenBookingFlowRequirement[]: openBookingFlowRequirement
  = URL: url
  = Concept[]: eligibleEntitlementType
OnDemandEvent < Event
  must: @type @id name activity organizer offers url
  never: eventSchedule subEvent schedulingNote maximumAttendeeCapacity maximumVirtualAttendeeCapacity remainingAttendeeCapacity location startDate endDate eventAttendanceMode eventStatus meetingPoint
  in subEvent must: @type url name location activity organizer startDate
  = MediaObject: workFeatured
OpeningHoursSpecification
  must: @type dayOfWeek opens closes
  in specialOpeningHoursSpecification must: @type opens closes validFrom validThrough
  = Time: closes opens
  = DayOfWeek[]: dayOfWeek
  = Date: validFrom validThrough
Organization
  must: name
  in organizer must: @id
  = Text: description vatID name legalName email telephone
  = TaxMode: taxMode
  = Text|PropertyValue|PropertyValue[]|Integer: identifier
  = ImageObject: logo
  = URL[]: sameAs
  = URL: url
  = PostalAddress: address
  = Terms[]: termsOfService
  = Boolean: isOpenBookingAllowed
  = CustomerAccount&: hasAccount
Parking < LocationFeatureSpecification
  must: name @type value
PartialSchedule < Schedule
  must: @type
  never: idTemplate urlTemplate scheduledEventType
Person
  in organizer must: @id
  = Text: description name givenName familyName telephone email jobTitle vatID legalName
  = Text|PropertyValue|PropertyValue[]|Integer: identifier
  = ImageObject: logo
  = GenderType|Text: gender
  = URL[]: sameAs
  = URL: url
  = PostalAddress: address
  = Person: emergencyContact
  = Terms[]: termsOfService
  = TaxMode: taxMode
  = Boolean: isOpenBookingAllowed
  = CustomerAccount&: hasAccount
Place
  must: @type name
  any: address geo
  = PostalAddress|Text: address
  = LocationFeatureSpecification[]: amenityFeature
  = Place&: containedInPlace
  = Place[]: containsPlace
  = Text: description name telephone email
  = GeoCoordinates: geo
  = Text|PropertyValue|PropertyValue[]|Integer: identifier
  = ImageObject[]: image
  = OpeningHoursSpecification[]: openingHoursSpecification specialOpeningHoursSpecification
  = URL: url
PostalAddress
  must: @type streetAddress addressLocality addressRegion postalCode addressCountry
  = Text: addressCountry addressLocality addressRegion postalCode streetAddress
PrivacyPolicy < Terms
PropertyValue
  in accessCode must: @type name description
  in additionalProperty must: @type name value
  in orderItemIntakeFormResponse must: @type propertyID value
  = Text: name description
  = URL|Text: propertyID
  = Text|Boolean|URL: value
QuantitativeValue
  must: @type
  = Integer: maxValue minValue
Schedule
  must: @type scheduledEventType startTime endTime scheduleTimezone
  any: byDay byMonth byMonthDay repeatFrequency
  = DayOfWeek[]|Text[]: byDay
  = Integer[]: byMonth byMonthDay
  = Duration: duration repeatFrequency
  = Date: endDate startDate
  = Time: endTime startTime
  = Date[]|DateTime[]: exceptDate
  = Text: idTemplate scheduleTimezone urlTemplate
  = Integer>1: repeatCount
  = ScheduledEventType: scheduledEventType
ScheduledSession < Event
  must: @type @id startDate
  never: eventSchedule subEvent organizer
  = Event&: superEvent
SessionSeries < Event
  must: @type @id url name location activity organizer offers
  never: remainingAttendeeCapacity
  = ScheduledSession[]: subEvent
  = Schedule[]: eventSchedule
Showers < LocationFeatureSpecification
  must: name @type value
Slot < Event
  must: @type @id facilityUse startDate duration remainingUses offers
  never: eventSchedule accessibilityInformation accessibilitySupport activity ageRange attendeeInstructions category contributor description eventStatus genderRestriction ageRestriction image isAccessibleForFree isCoached leader level location maximumAttendeeCapacity maximumVirtualAttendeeCapacity meetingPoint name programme remainingAttendeeCapacity subEvent schedulingNote superEvent eventAttendanceMode
  = FacilityUse&: facilityUse
  = Integer: maximumUses
  = Integer>0: remainingUses
SportsActivityLocation < Place
  must: @type name
  never: address geo
Terms
  = Text: name
  = URL: url
  = Boolean: requiresExplicitConsent
  = DateTime: dateModified
TermsOfUse < Terms
Toilets < LocationFeatureSpecification
  must: name @type value
Towels < LocationFeatureSpecification
  must: name @type value
VirtualLocation
  must: @type
  any: name description url
  = Text: name description accessId accessCode
  = URL: url
enums
  DayOfWeek https://schema.org/: Monday Tuesday Wednesday Thursday Friday Saturday Sunday PublicHolidays
  EventStatusType https://schema.org/: EventCancelled EventPostponed EventRescheduled EventScheduled
  GenderType https://schema.org/: Male Female
  GenderRestrictionType https://openactive.io/: NoRestriction MaleOnly FemaleOnly
  PaymentMethod http://purl.org/goodrelations/v1#: Cash PaymentMethodCreditCard
  RequiredStatusType https://openactive.io/: Required Optional Unavailable
  TaxMode https://openactive.io/: TaxGross TaxNet
  OpenBookingFlowRequirement https://openactive.io/: OpenBookingIntakeForm OpenBookingAttendeeDetails OpenBookingApproval OpenBookingNegotiation OpenBookingMessageExchange
  EventAttendanceModeEnumeration https://schema.org/: OfflineEventAttendanceMode MixedEventAttendanceMode OnlineEventAttendanceMode
  ScheduledEventType : Event HeadlineEvent SessionSeries ScheduledSession CourseInstance
`;
